//go:build study

package sample

const whole = true
