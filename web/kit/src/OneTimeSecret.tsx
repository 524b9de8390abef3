import { Button } from './Button.tsx'
import { CopyField, type CopyFieldProps } from './CopyField.tsx'
import { useKitText } from './kit-text.tsx'
import { Notice } from './Notice.tsx'

interface OneTimeSecretProps {
  /** Why it has to be stored now. */
  warning: string
  fields: readonly CopyFieldProps[]
  /** The person says that it is stored; it must not be shown again. */
  onStored: () => void
}

/** A secret that is shown this once. */
export function OneTimeSecret({ warning, fields, onStored }: OneTimeSecretProps) {
  const text = useKitText()
  return (
    <div className="space-y-4">
      <Notice mood="warning">{warning}</Notice>
      {fields.map((field) => (
        <CopyField key={field.label} {...field} />
      ))}
      <div className="flex justify-end">
        <Button onClick={onStored}>{text("I've saved it")}</Button>
      </div>
    </div>
  )
}
