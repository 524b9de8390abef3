import { type FormEvent, useState } from 'react'
import {
  adopt,
  type FormState,
  type FormValues,
  isChanged,
  isValid,
  leave,
  type Rules,
  refuse,
  sameValues,
  shownProblem,
  startForm,
  typed,
} from './form.ts'

export interface Form<V extends FormValues> {
  readonly values: V
  /** A value differs from the server's. */
  readonly changed: boolean
  readonly valid: boolean
  /** A save is in progress. */
  readonly busy: boolean
  /** The props of a field. */
  field(name: keyof V & string): {
    name: string
    value: string
    error: string | undefined
    onChange(event: { readonly target: { readonly value: string } }): void
    onBlur(): void
  }
  /** Sets a field other than a text input, and counts it as left. */
  choose(name: keyof V, value: string): void
  /** Handles the form's `submit` event: saves if all values are valid. */
  submit(save: (values: V) => Promise<void>): (event: FormEvent) => void
  /** Shows server errors below the fields. */
  refuse(problems: FormState<V>['refused']): void
  /** Discards the changes. */
  reset(): void
}

/**
 * The state of a form with text values. It starts with `saved` and follows its changes. `translate` translates the errors
 * of rules and server.
 */
export function useForm<V extends FormValues>(
  saved: V,
  rules: Rules<V>,
  translate: (message: string) => string,
): Form<V> {
  const [form, setForm] = useState(() => startForm(saved))
  const [busy, setBusy] = useState(false)
  if (!sameValues(form.saved, saved)) setForm(adopt(form, saved))

  const save = async (work: (values: V) => Promise<void>) => {
    setBusy(true)
    try {
      await work(form.values)
    } finally {
      setBusy(false)
    }
  }
  return {
    values: form.values,
    changed: isChanged(form),
    valid: isValid(form, rules),
    busy,
    field(name) {
      const problem = shownProblem(form, rules, name)
      return {
        name,
        value: form.values[name] ?? '',
        error: problem === undefined ? undefined : translate(problem),
        onChange: (event) => setForm(typed(form, name, event.target.value)),
        onBlur: () => setForm((now) => leave(now, name)),
      }
    },
    choose: (name, value) => setForm((now) => leave(typed(now, name, value), name)),
    submit: (work) => (event) => {
      event.preventDefault()
      if (busy || !isValid(form, rules)) return
      void save(work)
    },
    refuse: (problems) => setForm((now) => refuse(now, problems)),
    reset: () => setForm(startForm(saved)),
  }
}
