import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { useKitText } from './kit-text.tsx'

interface DialogProps {
  open: boolean
  /** Escape, the close button or a press outside; the owner then sets `open` to false. Without it an answer has to be given. */
  onClose?: () => void
  title: string
  children: ReactNode
  /** The buttons, the one that does it last. */
  footer?: ReactNode
}

/** A modal window on the browser's own `<dialog>`: focus stays inside and returns, the page behind is inert. */
export function Dialog({ open, onClose, title, children, footer }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const text = useKitText()
  // A browser may close it on a second Escape, whatever the page wants; drawn again, it stands there again.
  const [, setTimesClosed] = useState(0)
  const close = onClose ?? (() => setTimesClosed((times) => times + 1))
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null || dialog.open === open) return
    if (open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('[data-first], form input, form select')?.focus()
    } else dialog.close()
    // After each drawing, because Escape closes it also where the owner keeps it open.
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the press on the backdrop has its key, Escape, from the browser.
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={close}
      onClick={(event) => {
        if (event.target === event.currentTarget) close()
      }}
      className="m-auto w-[min(32rem,calc(100vw-2rem))] rounded-lg border border-border bg-raised p-0 text-text shadow-popup open:animate-rise"
    >
      {open ? (
        <div className="p-5 sm:p-6">
          <header className="flex items-start justify-between gap-4">
            <h2 id={id} className="text-lg font-semibold">
              {title}
            </h2>
            {onClose === undefined ? null : (
              <IconButton icon="close" label={text('Close')} onClick={onClose} className="-me-2 -mt-2" />
            )}
          </header>
          <div className="mt-2 text-sm">{children}</div>
          {footer === undefined ? null : <footer className="mt-6 flex flex-wrap justify-end gap-3">{footer}</footer>}
        </div>
      ) : null}
    </dialog>
  )
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
