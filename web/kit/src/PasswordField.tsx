import { useState } from 'react'
import { IconButton } from './Button.tsx'
import { Field, inputClass, type TextFieldProps } from './Field.tsx'
import { useKitText } from './kit-text.tsx'

/** A password field with a button that reveals the password. */
export function PasswordField({ label, hint, error, optional, ...input }: Omit<TextFieldProps, 'type'>) {
  const [shown, show] = useState(false)
  const text = useKitText()
  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <div className="relative">
          <input
            {...input}
            {...ids}
            type={shown ? 'text' : 'password'}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            className={`${inputClass} pr-12 rtl:pr-3 rtl:pl-12 rtl:text-right`}
          />
          <IconButton
            icon={shown ? 'eyeOff' : 'eye'}
            label={text(shown ? 'Hide password' : 'Show password')}
            aria-pressed={shown}
            disabled={input.disabled}
            onClick={() => show(!shown)}
            className="absolute inset-y-0 end-0 hover:bg-transparent"
          />
        </div>
      )}
    </Field>
  )
}
