import { Select } from '@base-ui/react/select'
import { Icon } from '../Icon.tsx'
import type { SelectOption } from '../select-options.ts'
import type { PopupProps } from '../use-popup.ts'
import { findLandmark, LoadedEarlier, PopupFrame, placement, popupClass, rowClass } from './PopupFrame.tsx'

interface SelectPopupProps extends PopupProps {
  id: string
  label: string
  options: readonly SelectOption[]
  value: string
  onChoose: (value: string) => void
}

/** The open list of a {@link Select}. */
export function SelectPopup({ id, label, options, value, onChoose, trigger, onClose }: SelectPopupProps) {
  return (
    <PopupFrame>
      <Select.Root
        id={id}
        open
        modal={false}
        value={value}
        onOpenChange={onClose}
        onValueChange={(chosen) => onChoose(chosen ?? '')}
      >
        <Select.Trigger render={<LoadedEarlier button={trigger} />} />
        <Select.Portal container={findLandmark(trigger)}>
          <Select.Positioner {...placement} alignItemWithTrigger={false}>
            <Select.Popup
              aria-label={label}
              className={`${popupClass} max-h-[min(var(--available-height),20rem)] min-w-(--anchor-width) p-1.5`}
            >
              {options.map((option) => (
                <Select.Item
                  key={option.value}
                  value={option.value}
                  label={option.label}
                  disabled={option.disabled}
                  data-value={option.value}
                  className={`${rowClass} data-selected:font-medium`}
                >
                  <Select.ItemText className="grow">{option.label}</Select.ItemText>
                  <Icon name="check" size={18} className={option.value === value ? 'text-link' : 'invisible'} />
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </PopupFrame>
  )
}
