"""What is made of an answer: pages to build on."""
