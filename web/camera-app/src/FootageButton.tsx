import { Button, Icon } from '@sightline/kit'
import type { ComponentProps } from 'react'

interface FootageButtonProps {
  icon: ComponentProps<typeof Icon>['name']
  /** Its whole name, for screen readers and as a tip. */
  label: string
  /** Beside the icon; hidden on phones. */
  text: string
  onClick: () => void
}

/** Opens a dialog about the footage on the stage. */
export function FootageButton({ icon, label, text, onClick }: FootageButtonProps) {
  return (
    <Button variant="secondary" aria-label={label} title={label} onClick={onClick} className="px-3! max-sm:px-2!">
      <Icon name={icon} />
      <span className="max-sm:sr-only">{text}</span>
    </Button>
  )
}
