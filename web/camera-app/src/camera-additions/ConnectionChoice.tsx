import { TickBox } from '@sightline/kit'
import { useId } from 'react'

interface ConnectionChoiceProps {
  label: string
  hint: string
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** An option of how a device is connected, with what it means. */
export function ConnectionChoice({ label, hint, isChosen, onChoose }: ConnectionChoiceProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="mt-3 flex gap-3">
      <TickBox id={id} checked={isChosen} onChange={onChoose} />
      <span>
        {label}
        <span className="block text-xs text-muted">{hint}</span>
      </span>
    </label>
  )
}
