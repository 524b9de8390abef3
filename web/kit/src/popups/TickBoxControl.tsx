import { Checkbox } from '@base-ui/react/checkbox'
import { Icon } from '../Icon.tsx'
import type { TickBoxProps } from '../TickBox.tsx'

/** A {@link TickBox} once Base UI has loaded. */
export function TickBoxControl(props: TickBoxProps & { className: string }) {
  const { id, label, checked, disabled = false, onChange, onKeyDown, className } = props
  return (
    <Checkbox.Root
      id={id}
      nativeButton
      render={<button type="button" />}
      aria-label={label}
      checked={checked === true}
      indeterminate={checked === 'some'}
      disabled={disabled}
      onKeyDown={onKeyDown}
      onCheckedChange={(now, { event }) => onChange(now, event instanceof MouseEvent && event.shiftKey)}
      className={`${className} text-on-control transition-colors hover:border-text disabled:border-border disabled:bg-sunken data-checked:border-control data-checked:bg-control data-indeterminate:border-control data-indeterminate:bg-control`}
    >
      <Checkbox.Indicator className="inline-flex">
        <Icon name={checked === 'some' ? 'minus' : 'check'} size={14} />
      </Checkbox.Indicator>
    </Checkbox.Root>
  )
}
