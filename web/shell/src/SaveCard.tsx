import type { LaterText } from '@sightline/client'
import { Button, type Form, FormCard, type FormValues } from '@sightline/kit'
import type { ReactNode } from 'react'
import { useTranslation } from './translation.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'

interface SaveCardProps<Values extends FormValues> {
  title: string
  description?: string
  form: Form<Values>
  onSave: (values: Values) => Promise<void>
  /** Read-only: there is no button. */
  readOnly?: boolean
  children: ReactNode
}

/**
 * A card with a form. Save is enabled when a value has changed and all are valid. Asks before the user leaves unsaved
 * changes.
 */
export function SaveCard<Values extends FormValues>(props: SaveCardProps<Values>) {
  const { title, description, form, onSave, readOnly = false, children } = props
  const t = useTranslation<LaterText>()
  return (
    <FormCard
      title={title}
      description={description}
      onSubmit={form.submit(onSave)}
      footer={
        readOnly ? undefined : (
          <Button type="submit" busy={form.busy} disabled={!(form.changed && form.valid)}>
            {t('Save changes')}
          </Button>
        )
      }
    >
      {children}
      <UnsavedChanges changed={form.changed} onDiscard={form.reset} />
    </FormCard>
  )
}
