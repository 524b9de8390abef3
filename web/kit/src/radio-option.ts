export interface RadioOption<Value extends string = string> {
  readonly value: Value
  readonly label: string
}

export interface RadioGroupProps<Value extends string = string> {
  label: string
  /** A few; more are a Select. */
  options: readonly RadioOption<Value>[]
  value: Value
  disabled?: boolean
  onChange: (value: Value) => void
}
