// Command bandscope shows what a black-box optimizer believes.
package main

func main() {}
