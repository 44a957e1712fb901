"""What is generated for TypeScript."""
