import { useState } from 'react'
import { Button } from '../Button.tsx'
import { Field, inputClass } from '../Field.tsx'
import { useKitText } from '../kit-text.tsx'
import { Notice } from '../marks.tsx'

interface CopyFieldProps {
  label: string
  value: string
  hint?: string
}

/** A text that is taken elsewhere: an id, an address, a key. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const text = useKitText()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <div className="flex items-start gap-2">
          {/* As many lines as it takes: on a telephone somebody may have to read it off. */}
          <textarea
            {...ids}
            readOnly
            dir="ltr"
            rows={1}
            spellCheck={false}
            value={value}
            onFocus={(event) => event.currentTarget.select()}
            className={`${inputClass} field-sizing-content h-auto pointer-coarse:min-h-11 resize-none py-2 font-mono wrap-anywhere rtl:text-right`}
          />
          <Button variant="secondary" className="shrink-0" icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
            <span aria-live="polite">{text(copied ? 'Copied' : 'Copy')}</span>
          </Button>
        </div>
      )}
    </Field>
  )
}

interface ShownOnceProps {
  /** Why it has to be stored now. */
  warning: string
  fields: readonly CopyFieldProps[]
  /** The person says that it is stored; it must not be shown again. */
  onStored: () => void
}

/** A secret that is shown this once. */
export function ShownOnce({ warning, fields, onStored }: ShownOnceProps) {
  const text = useKitText()
  return (
    <div className="space-y-4">
      <Notice mood="warning">{warning}</Notice>
      {fields.map((field) => (
        <CopyField key={field.label} {...field} />
      ))}
      <div className="flex justify-end">
        <Button onClick={onStored}>{text('I have stored it')}</Button>
      </div>
    </div>
  )
}
