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

/** The look of one option and of its circle, before its control is loaded too. */
export const radioClass = {
  option:
    'flex cursor-pointer items-center gap-3 rounded-md border border-outline px-4 py-2.5 has-data-checked:border-control has-data-checked:bg-tint',
  circle: 'inline-flex size-4.5 shrink-0 items-center justify-center rounded-full border border-outline bg-surface',
} as const
