import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { IconButton } from '../Button.tsx'
import type { DialogProps } from '../Dialog.tsx'
import { useKitText } from '../kit-text.tsx'
import { useInertPage } from './inert-page.ts'
import { PopupFrame } from './PopupFrame.tsx'

/** The element that gets the focus first: a marked button, or the first field. */
const FIRST = '[data-first], form :is(input:not([tabindex="-1"]), [role=combobox], [role=spinbutton])'

/** Rendered inside the portal, so that the portal exists when the rest becomes inert. */
function Inert({ portal, children }: { portal: { current: HTMLDivElement | null }; children: ReactNode }) {
  useInertPage(portal)
  return children
}

interface WindowProps {
  onClose: (() => void) | undefined
  label?: string
  /** The class of the box around the dialog. */
  viewportClass: string
  className: string
  children: ReactNode
}

/** A modal dialog: the focus stays inside and returns afterwards, and the page behind is inert. */
function ModalWindow({ onClose, label, viewportClass, className, children }: WindowProps) {
  const portal = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  return (
    <PopupFrame>
      <Dialog.Root
        open
        disablePointerDismissal={onClose === undefined}
        onOpenChange={(_, details) => {
          // Without `onClose`, an answer is required.
          if (onClose === undefined) details.cancel()
          else onClose()
        }}
      >
        <Dialog.Portal ref={portal}>
          <Inert portal={portal}>
            <Dialog.Backdrop className="fixed inset-0 z-50 bg-black/50" forceRender />
            <Dialog.Viewport className={`fixed inset-0 z-50 flex overflow-y-auto overscroll-contain ${viewportClass}`}>
              <Dialog.Popup
                ref={popup}
                aria-label={label}
                initialFocus={() => popup.current?.querySelector<HTMLElement>(FIRST) ?? true}
                className={`bg-raised text-sm text-text shadow-popup outline-none ${className}`}
              >
                {children}
              </Dialog.Popup>
            </Dialog.Viewport>
          </Inert>
        </Dialog.Portal>
      </Dialog.Root>
    </PopupFrame>
  )
}

/** An open {@link Dialog}. */
export function DialogWindow({ onClose, title, children, footer }: Omit<DialogProps, 'open'>) {
  const text = useKitText()
  return (
    <ModalWindow
      onClose={onClose}
      viewportClass="p-4"
      className="m-auto w-full max-w-lg animate-rise rounded-lg border border-border p-5 sm:p-6"
    >
      <header className="flex items-start justify-between gap-4">
        <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
        {onClose === undefined ? null : (
          <IconButton icon="close" label={text('Close')} onClick={onClose} className="-me-2 -mt-2" />
        )}
      </header>
      <div className="mt-2">{children}</div>
      {footer === undefined ? null : <footer className="mt-6 flex flex-wrap justify-end gap-3">{footer}</footer>}
    </ModalWindow>
  )
}

interface DrawerProps {
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** The open menu of a narrow window. */
export function DrawerWindow({ onClose, title, children }: DrawerProps) {
  const text = useKitText()
  return (
    <ModalWindow
      onClose={onClose}
      label={text('Menu')}
      viewportClass=""
      className="h-dvh w-72 max-w-[85vw] overflow-y-auto border-e border-border"
    >
      <div className="flex min-h-full flex-col gap-4 p-3">
        <div className="flex items-center justify-between ps-3">
          {title}
          <IconButton icon="close" label={text('Close menu')} onClick={onClose} />
        </div>
        {children}
      </div>
    </ModalWindow>
  )
}
