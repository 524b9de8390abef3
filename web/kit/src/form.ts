/** What a form edits: texts by the name of their field. */
export type FormValues = Readonly<Record<string, string>>

/** The rule of a field: the text to show where the value is not right. */
export type Rules<V extends FormValues> = { readonly [K in keyof V]?: (value: string, all: V) => string | undefined }

export interface FormState<V extends FormValues> {
  /** What the server holds. */
  readonly saved: V
  /** What is in the fields. */
  readonly values: V
  /** Fields that were left once: only they show what is wrong, so that nobody is corrected while typing. */
  readonly left: ReadonlySet<keyof V>
  /** What the server found wrong with a value that is still there. */
  readonly refused: { readonly [K in keyof V]?: string }
}

export const startForm = <V extends FormValues>(saved: V): FormState<V> => ({
  saved,
  values: saved,
  left: new Set(),
  refused: {},
})

/** A field gets another value; what the server said about the old one no longer holds. */
export function typed<V extends FormValues>(form: FormState<V>, name: keyof V, value: string): FormState<V> {
  return { ...form, values: { ...form.values, [name]: value }, refused: { ...form.refused, [name]: undefined } }
}

export const leave = <V extends FormValues>(form: FormState<V>, name: keyof V): FormState<V> =>
  form.left.has(name) ? form : { ...form, left: new Set([...form.left, name]) }

export const refuse = <V extends FormValues>(form: FormState<V>, refused: FormState<V>['refused']): FormState<V> => ({
  ...form,
  refused: { ...form.refused, ...refused },
})

/** The server holds something new: fields that nobody edited follow it, edited ones keep what was typed. */
export function adopt<V extends FormValues>(form: FormState<V>, saved: V): FormState<V> {
  const names: readonly (keyof V)[] = Object.keys(saved)
  const kept = names.filter((name) => form.values[name] !== form.saved[name])
  const values = { ...saved, ...Object.fromEntries(kept.map((name) => [name, form.values[name]])) }
  return { ...form, saved, values }
}

/** Whether two sets of values hold the same. */
export const sameValues = <V extends FormValues>(one: V, other: V): boolean =>
  Object.keys(one).every((name) => one[name] === other[name])

export const isChanged = <V extends FormValues>(form: FormState<V>): boolean => !sameValues(form.saved, form.values)

/** What the rules say of a field, whether shown yet or not. */
const problemOf = <V extends FormValues>(form: FormState<V>, rules: Rules<V>, name: keyof V): string | undefined =>
  rules[name]?.(form.values[name] ?? '', form.values)

export const isValid = <V extends FormValues>(form: FormState<V>, rules: Rules<V>): boolean =>
  Object.keys(form.values).every((name) => problemOf(form, rules, name) === undefined)

/** What stands under a field: the server's word on it first, else the rule's once the field was left. */
export function shownProblem<V extends FormValues>(
  form: FormState<V>,
  rules: Rules<V>,
  name: keyof V,
): string | undefined {
  return form.refused[name] ?? (form.left.has(name) ? problemOf(form, rules, name) : undefined)
}
