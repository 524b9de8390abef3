import { Button } from './Button.tsx'
import { CopyField, type CopyFieldProps } from './CopyField.tsx'
import { useKitText } from './kit-text.tsx'
import { Notice } from './Notice.tsx'

interface OneTimeSecretProps {
  /** Why the user has to store it now. */
  warning: string
  fields: readonly CopyFieldProps[]
  /** The user confirms that it is stored; it must not be shown again. */
  onStored: () => void
}

/** A secret that is shown only once. */
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
