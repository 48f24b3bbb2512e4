// The floor of every cold start: a program that does nothing, linked as coopc is.
int main() { return 0; }
