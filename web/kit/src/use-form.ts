import { type ChangeEvent, type FormEvent, useState } from 'react'
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
  /** Something differs from what the server holds. */
  readonly changed: boolean
  readonly valid: boolean
  /** A save is under way. */
  readonly busy: boolean
  /** What a text field takes. */
  field(name: keyof V & string): {
    name: string
    value: string
    error: string | undefined
    onChange(event: ChangeEvent<HTMLInputElement>): void
    onBlur(): void
  }
  /** Sets a field that is no text input, and counts it as left. */
  choose(name: keyof V, value: string): void
  /** Handles `submit` of the form: saves where everything is valid. */
  submit(save: (values: V) => Promise<void>): (event: FormEvent) => void
  /** Puts under fields what the server found wrong. */
  refuse(problems: FormState<V>['refused']): void
  /** Empties what was typed. */
  reset(): void
}

/**
 * A form of texts over `saved`, which it follows when it changes. `translate` puts the texts of rules and server into
 * the language shown.
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
