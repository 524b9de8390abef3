import type { ComponentProps } from 'react'
import { Field, type FieldFrame, inputClass } from './Field.tsx'

type SelectProps = FieldFrame & Omit<ComponentProps<'select'>, 'id' | 'className'>

/** A short list to choose from (up to about ten; more are searched with SearchSelect). */
export function Select({ label, hint, error, optional, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => <select {...select} {...ids} className={inputClass} />}
    </Field>
  )
}
