import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './Button.tsx'
import { ConfirmDialog, Dialog } from './Dialog.tsx'
import { useKitText } from './kit-text.tsx'
import { useUnsavedChanges } from './unsaved-changes.ts'

interface FormDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** What the button that saves says; 'Save changes' unless told. */
  submit?: string
  /** It cannot be undone. */
  danger?: boolean
  /** Something was typed: closing asks first. */
  changed: boolean
  /** What is typed may be saved. */
  valid: boolean
  /** What it starts with may be sent as it is. */
  sendsUnchanged?: boolean
  busy: boolean
  /** `form.submit(save)` of `useForm`. */
  onSubmit: (event: FormEvent) => void
  children: ReactNode
}

/** A form in a window of its own. Closing it with something typed asks before that is thrown away. */
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
