/** A form's values: texts by field name. */
export type FormValues = Readonly<Record<string, string>>

/** A validation rule per field: returns the error for an invalid value. */
export type Rules<V extends FormValues> = { readonly [K in keyof V]?: (value: string, all: V) => string | undefined }

export interface FormState<V extends FormValues> {
  /** The server's values. */
  readonly saved: V
  /** The fields' values. */
  readonly values: V
  /** Fields that lost the focus once. Only they show errors, so that none appear while typing. */
  readonly left: ReadonlySet<keyof V>
  /** Server errors about values that have not changed since. */
  readonly refused: { readonly [K in keyof V]?: string }
}

export const startForm = <V extends FormValues>(saved: V): FormState<V> => ({
  saved,
  values: saved,
  left: new Set(),
  refused: {},
})

/** Sets a field's value and clears its server error. */
export function typed<V extends FormValues>(form: FormState<V>, name: keyof V, value: string): FormState<V> {
  return { ...form, values: { ...form.values, [name]: value }, refused: { ...form.refused, [name]: undefined } }
}

export const leave = <V extends FormValues>(form: FormState<V>, name: keyof V): FormState<V> =>
  form.left.has(name) ? form : { ...form, left: new Set([...form.left, name]) }

export const refuse = <V extends FormValues>(form: FormState<V>, refused: FormState<V>['refused']): FormState<V> => ({
  ...form,
  refused: { ...form.refused, ...refused },
})

/** Takes new server values: unedited fields follow them, edited ones keep theirs. */
export function adopt<V extends FormValues>(form: FormState<V>, saved: V): FormState<V> {
  const names: readonly (keyof V)[] = Object.keys(saved)
  const kept = names.filter((name) => form.values[name] !== form.saved[name])
  const values = { ...saved, ...Object.fromEntries(kept.map((name) => [name, form.values[name]])) }
  return { ...form, saved, values }
}

/** Whether two sets of values are equal. */
export const sameValues = <V extends FormValues>(one: V, other: V): boolean =>
  Object.keys(one).every((name) => one[name] === other[name])

export const isChanged = <V extends FormValues>(form: FormState<V>): boolean => !sameValues(form.saved, form.values)

/** A field's validation error, whether shown yet or not. */
const problemOf = <V extends FormValues>(form: FormState<V>, rules: Rules<V>, name: keyof V): string | undefined =>
  rules[name]?.(form.values[name] ?? '', form.values)

export const isValid = <V extends FormValues>(form: FormState<V>, rules: Rules<V>): boolean =>
  Object.keys(form.values).every((name) => problemOf(form, rules, name) === undefined)

/** The error to show below a field: the server's first, else the rule's once the field was left. */
export function shownProblem<V extends FormValues>(
  form: FormState<V>,
  rules: Rules<V>,
  name: keyof V,
): string | undefined {
  return form.refused[name] ?? (form.left.has(name) ? problemOf(form, rules, name) : undefined)
}
