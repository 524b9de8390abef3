export interface RadioOption<Value extends string = string> {
  readonly value: Value
  readonly label: string
  /** What the option means, below its label. If options have one, each takes a line. */
  readonly description?: string
}

export interface RadioGroupProps<Value extends string = string> {
  label: string
  /** A few; more are a Select. */
  options: readonly RadioOption<Value>[]
  value: Value
  disabled?: boolean
  onChange: (value: Value) => void
}

/** Whether the options need a line each. */
export const hasDescriptions = (options: readonly RadioOption[]): boolean =>
  options.some(({ description }) => description !== undefined)
