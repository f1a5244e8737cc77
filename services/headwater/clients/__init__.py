"""What Headwater calls: embedding models, git hosts."""
