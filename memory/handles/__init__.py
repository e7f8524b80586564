"""What terminals and services register, and how every terminal comes to hold the same."""
