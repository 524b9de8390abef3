import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useDialogWindow } from './dialog-window.ts'
import { useKitText } from './kit-text.tsx'

export interface DialogProps {
  open: boolean
  /** Called for Escape, the close button or a click outside; the parent then sets `open` to false. If undefined, an answer is required. */
  onClose?: () => void
  title: string
  children: ReactNode
  /** The buttons, with the main one last. */
  footer?: ReactNode
}

/** A modal dialog: the focus stays inside and returns afterwards, and the page behind is inert. */
export function Dialog({ open, ...dialog }: DialogProps) {
  const Module = useDialogWindow(open)
  return open && Module !== undefined ? <Module.DialogWindow {...dialog} /> : null
}

interface ConfirmDialogProps extends Omit<DialogProps, 'footer' | 'onClose'> {
  onClose: () => void
  /** The label of the confirm button. */
  confirm: string
  /** The label of the cancel button; "Cancel" by default. */
  cancel?: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
}

/** Asks for confirmation of an action that is hard to undo. */
export function ConfirmDialog({
  confirm,
  cancel,
  danger = false,
  busy = false,
  onConfirm,
  ...dialog
}: ConfirmDialogProps) {
  const text = useKitText()
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button variant="secondary" data-first onClick={dialog.onClose}>
            {cancel ?? text('Cancel')}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    />
  )
}
