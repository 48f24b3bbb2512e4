// The lower bound of every cold start: a program that does nothing, linked like coopc.
int main() { return 0; }
