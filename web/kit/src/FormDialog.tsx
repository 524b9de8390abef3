import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './Button.tsx'
import { ConfirmDialog, Dialog } from './Dialog.tsx'
import { useKitText } from './kit-text.tsx'
import { useUnsavedChanges } from './unsaved-changes.ts'

interface FormDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** The label of the submit button; 'Save changes' by default. */
  submit?: string
  /** The action can't be undone. */
  danger?: boolean
  /** There are unsaved changes: closing asks first. */
  changed: boolean
  /** The values can be saved. */
  valid: boolean
  /** The initial values can be submitted unchanged. */
  sendsUnchanged?: boolean
  busy: boolean
  /** `form.submit(save)` of `useForm`. */
  onSubmit: (event: FormEvent) => void
  children: ReactNode
}

/** A form in a dialog. Asks before it closes with unsaved changes. */
export function FormDialog(props: FormDialogProps) {
  const {
    open,
    onClose,
    title,
    submit,
    danger = false,
    changed,
    valid,
    sendsUnchanged = false,
    busy,
    onSubmit,
    children,
  } = props
  const text = useKitText()
  const id = useId()
  useUnsavedChanges(open && changed)
  const [asking, setAsking] = useState(false)
  const close = () => {
    if (busy) return
    if (changed && !asking) setAsking(true)
    else onClose()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        title={title}
        footer={
          <>
            <Button variant="secondary" onClick={close}>
              {text('Cancel')}
            </Button>
            <Button
              type="submit"
              variant={danger ? 'danger' : 'primary'}
              form={id}
              busy={busy}
              disabled={!((changed || sendsUnchanged) && valid)}
            >
              {submit ?? text('Save changes')}
            </Button>
          </>
        }
      >
        <form id={id} noValidate onSubmit={onSubmit} className="mt-4 space-y-4">
          {children}
        </form>
      </Dialog>
      <ConfirmDialog
        open={open && asking}
        title={text('Discard changes')}
        confirm={text('Discard changes')}
        cancel={text('Keep editing')}
        danger
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onClose()
        }}
      >
        {text("Your changes haven't been saved.")}
      </ConfirmDialog>
    </>
  )
}
