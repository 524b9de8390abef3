import { Menu } from '@base-ui/react/menu'
import { type MouseEvent, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import type { MenuItem } from '../Menu.tsx'
import { isPlainPress } from '../plain-press.ts'
import type { PopupProps } from '../use-popup.ts'
import { findLandmark, LoadedEarlier, PopupFrame, placement, popupClass, rowClass } from './PopupFrame.tsx'

interface MenuPopupProps extends PopupProps {
  label: string
  items: readonly MenuItem[]
  align: 'start' | 'end'
}

function Entry({ item }: { item: MenuItem }) {
  if (item.kind === 'line') return <Menu.Separator className="my-1.5 border-t border-border" />
  if (item.kind === 'heading') {
    return (
      <div role="presentation" className="px-3 py-2">
        <p className="truncate font-medium">{item.label}</p>
        {item.detail === undefined ? null : <p className="truncate text-xs text-muted">{item.detail}</p>}
      </div>
    )
  }
  const shared = {
    label: item.label,
    className: `${rowClass} ${item.detail === undefined ? '' : 'h-auto'} ${item.danger === true ? 'text-danger-text' : ''}`,
    ...(item.current === undefined ? {} : { role: 'menuitemradio', 'aria-checked': item.current }),
    children: (
      <>
        {item.icon === undefined ? null : <Icon name={item.icon} size={18} className="text-muted" />}
        {item.detail === undefined ? (
          <span className="grow truncate">{item.label}</span>
        ) : (
          <span className="max-w-72 grow py-1">
            {item.label}
            <span className="block text-xs text-muted">{item.detail}</span>
          </span>
        )}
        {item.current === true ? <Icon name="check" size={18} className="text-link" /> : null}
      </>
    ),
  }
  if (item.href !== undefined) {
    const { href, onFollow } = item
    const follow = (event: MouseEvent) => {
      if (onFollow === undefined || !isPlainPress(event)) return
      event.preventDefault()
      onFollow()
    }
    return <Menu.LinkItem {...shared} href={href} closeOnClick onClick={follow} />
  }
  return <Menu.Item {...shared} disabled={item.disabled === true} onClick={item.onSelect} />
}

/** The open list of a {@link Menu}. The page stays usable, so it is not hidden from screen readers. */
export function MenuPopup({ label, items, align, trigger, isByKeyboard, onClose }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <PopupFrame>
      <Menu.Root open modal={false} onOpenChange={onClose}>
        <Menu.Trigger render={<LoadedEarlier button={trigger} />} />
        <Menu.Portal container={findLandmark(trigger)}>
          <Menu.Positioner {...placement} align={align}>
            <Menu.Popup
              ref={popup}
              aria-label={label}
              {...(isByKeyboard
                ? { initialFocus: () => popup.current?.querySelector<HTMLElement>('[role^=menuitem]') ?? true }
                : {})}
              className={`${popupClass} min-w-56 p-1.5`}
            >
              {items.map((item, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity but their position
                <Entry key={index} item={item} />
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </PopupFrame>
  )
}
