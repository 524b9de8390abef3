import { Button, type Form, type FormValues } from '@sightline/kit'
import { useSignInCardText } from './text.ts'

interface EditButtonsProps<Values extends FormValues> {
  form: Form<Values>
  /** The label of the save button. */
  save: string
  onCancel: () => void
}

/** The buttons below the fields of an open section. */
export function EditButtons<Values extends FormValues>({ form, save, onCancel }: EditButtonsProps<Values>) {
  const t = useSignInCardText()
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
        {save}
      </Button>
      <Button variant="secondary" disabled={form.busy} onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
