"""The images as containers would run them: from their own root, read-only, without privileges, in a real system."""
