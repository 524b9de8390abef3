import { type ReactNode, useState } from 'react'
import { Field, type FieldFrame, inputClass } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { lazyModule } from './lazy-module.ts'
import { type SelectOption, selectOptions } from './select-options.ts'
import { usePopup } from './use-popup.ts'

interface SelectChange {
  readonly target: { readonly value: string }
}

interface SelectInputProps {
  /** `<option>`s. */
  children: ReactNode
  value?: string | number | undefined
  /** For an uncontrolled select; the first option by default. */
  defaultValue?: string | number | undefined
  name?: string | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  onChange?: (event: SelectChange) => void
  onBlur?: () => void
}

interface SelectButtonProps extends SelectInputProps {
  /** The accessible name of the list. */
  label: string
  id: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  className?: string
}

const selectPopup = lazyModule(() => import('./popups/SelectPopup.tsx'))

/** The selected value: the parent's, or the last choice if uncontrolled. */
function useValue({ value, defaultValue }: SelectInputProps, options: readonly SelectOption[]) {
  const [own, setOwn] = useState(defaultValue)
  const chosen = String(value ?? own ?? options[0]?.value ?? '')
  return [chosen, setOwn] as const
}

/** The button of a {@link Select}, without label, hint and error. */
export function SelectButton(props: SelectButtonProps) {
  const { label, id, children, name, required, disabled, onChange, onBlur, className = '' } = props
  const options = selectOptions(children)
  const [value, setOwn] = useValue(props, options)
  const { Module, isOpen, popupProps, triggerProps } = usePopup(selectPopup)
  return (
    <>
      <button
        {...triggerProps}
        id={id}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-describedby={props['aria-describedby']}
        aria-invalid={props['aria-invalid']}
        aria-required={required || undefined}
        name={name}
        value={value}
        disabled={disabled}
        onBlur={() => {
          // Moving the focus into its own list is not a blur.
          if (!isOpen) onBlur?.()
        }}
        className={`${inputClass} flex items-center justify-between gap-2 text-start ${className}`}
      >
        <span className="truncate">{options.find((option) => option.value === value)?.label}</span>
        <Icon
          name="chevronDown"
          size={18}
          className={`text-muted transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      {Module === undefined ? null : (
        <Module.SelectPopup
          {...popupProps}
          id={id}
          label={label}
          options={options}
          value={value}
          onChoose={(chosen) => {
            setOwn(chosen)
            if (chosen !== value) onChange?.({ target: { value: chosen } })
          }}
        />
      )}
    </>
  )
}

type SelectProps = FieldFrame & SelectInputProps

/** A short list (up to about ten options; use SearchSelect for more). */
export function Select({ label, hint, error, optional, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => <SelectButton {...select} {...ids} label={label} />}
    </Field>
  )
}
