import { Popover } from '@base-ui/react/popover'
import { type ReactNode, useRef } from 'react'
import type { PopupProps } from '../use-popup.ts'
import { findLandmark, LoadedEarlier, PopupFrame, placement, popupClass } from './PopupFrame.tsx'

interface PopoverPopupProps extends PopupProps {
  label: string
  className: string
  children: ReactNode
}

/** A small non-modal dialog that a button opens over the page. */
export function PopoverPopup({ label, className, trigger, onClose, children }: PopoverPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <PopupFrame>
      <Popover.Root open modal={false} onOpenChange={onClose}>
        <Popover.Trigger render={<LoadedEarlier button={trigger} />} />
        <Popover.Portal container={findLandmark(trigger)}>
          <Popover.Positioner {...placement}>
            <Popover.Popup
              ref={popup}
              aria-label={label}
              initialFocus={() =>
                popup.current?.querySelector<HTMLElement>('input:not([tabindex="-1"]), button') ?? true
              }
              className={`${popupClass} ${className}`}
            >
              {children}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </PopupFrame>
  )
}
