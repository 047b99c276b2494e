//go:build !study

package sample

const whole = false
