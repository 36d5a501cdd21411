"""What is known of library functions: tables that the analysis and the codemods read."""
