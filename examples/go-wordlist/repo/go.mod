module example.com/wordlist

go 1.21
