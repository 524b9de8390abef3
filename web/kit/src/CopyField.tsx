import { useState } from 'react'
import { Button } from './Button.tsx'
import { Field, inputClass } from './Field.tsx'
import { useKitText } from './kit-text.tsx'

export interface CopyFieldProps {
  label: string
  value: string
  hint?: string
}

/** A text to copy: an id, an address, a key. */
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
          {/* Shows all lines, because on a phone the user may have to read the text. */}
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
