"""Composable LibCST codemods that bring missing TensorFlow gradients back, one fault a file."""
