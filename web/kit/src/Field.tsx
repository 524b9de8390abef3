import { type ComponentProps, type ReactNode, useId } from 'react'

export interface FieldFrame {
  label: string
  /** Shown below the field while there is no error. */
  hint?: ReactNode
  error?: string | undefined
  /** Marks the label of an optional field, such as "optional". */
  optional?: string
}

/** Label, hint and error of one control; passes the control its ids. */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
}: FieldFrame & {
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode
}) {
  const id = useId()
  const note = error ?? hint
  const noteId = note === undefined || note === '' ? undefined : `${id}-note`
  return (
    <div className="min-w-0">
      <label id={`${id}-label`} htmlFor={id} className="mb-1.5 flex justify-between gap-2 font-medium">
        {label}
        {optional === undefined ? null : <span className="font-normal text-muted">{optional}</span>}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error === undefined ? undefined : true })}
      {/* Always rendered, so that screen readers announce a new error. */}
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`text-xs ${noteId === undefined ? '' : 'mt-1.5'} ${error === undefined ? 'text-muted' : 'text-danger-text'}`}
      >
        {note}
      </p>
    </div>
  )
}

/** The style of a text input. */
export const inputClass =
  'control typed w-full min-w-0 border border-outline bg-surface px-3 text-text transition-colors placeholder:text-muted hover:border-text focus:border-focus focus:outline-2 focus:outline-offset-0 focus:outline-focus aria-invalid:border-danger-text disabled:border-border disabled:bg-sunken disabled:text-muted disabled:hover:border-border'

export type TextFieldProps = FieldFrame & Omit<ComponentProps<'input'>, 'id' | 'className'>

/** A single-line text field. Phone numbers and addresses are left-to-right in every language. */
export function TextField({ label, hint, error, optional, ...input }: TextFieldProps) {
  const ltr = input.type === 'tel' || input.type === 'email' || input.type === 'url'
  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <input
          type="text"
          {...(ltr ? { dir: 'ltr' } : {})}
          {...input}
          {...ids}
          className={`${inputClass} ${ltr ? 'rtl:text-right' : ''}`}
        />
      )}
    </Field>
  )
}
