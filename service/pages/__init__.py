"""The pages in the browser: chat, memory and console, as files that load nothing from elsewhere."""
