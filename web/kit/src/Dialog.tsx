import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useDialogWindow } from './dialog-window.ts'
import { useKitText } from './kit-text.tsx'

export interface DialogProps {
  open: boolean
  /** Escape, the close button or a press outside; the owner then sets `open` to false. Without it an answer has to be given. */
  onClose?: () => void
  title: string
  children: ReactNode
  /** The buttons, the one that does it last. */
  footer?: ReactNode
}

/** A modal window: the focus stays inside and returns, the page behind is inert. */
export function Dialog({ open, ...dialog }: DialogProps) {
  const Module = useDialogWindow(open)
  return open && Module !== undefined ? <Module.DialogWindow {...dialog} /> : null
}

interface ConfirmDialogProps extends Omit<DialogProps, 'footer' | 'onClose'> {
  onClose: () => void
  /** The verb of the button that does it. */
  confirm: string
  /** The verb of the button that does not; "Cancel" unless told. */
  cancel?: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
}

/** Asks before something that is hard to undo. */
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
