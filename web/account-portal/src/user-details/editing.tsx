import { Button } from '@sightline/kit'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** The sections of the details that can be changed. */
export type Section = 'personal' | 'email' | 'password'

/** Which section is being changed: one at a time. */
export interface Editing {
  readonly section: Section | undefined
  /** The section that was closed last: the focus returns to its button. */
  readonly closed: Section | undefined
  open(section: Section): void
  close(): void
}

export function useEditing(): Editing {
  const [section, setSection] = useState<Section>()
  const [closed, setClosed] = useState<Section>()
  return {
    section,
    closed,
    open: setSection,
    close: () => {
      setClosed(section)
      setSection(undefined)
    },
  }
}

interface EditButtonProps {
  section: Section
  editing: Editing
  /** The accessible name: what the button changes. */
  label?: string
  /** Called when the user is about to click. */
  onNear?: () => Promise<unknown>
  children: ReactNode
}

/** Opens a section for editing; hidden while one is open. */
export function EditButton({ section, editing, label, onNear, children }: EditButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = editing.section !== undefined
  const returns = !isOpen && editing.closed === section
  useEffect(() => {
    if (returns) button.current?.focus()
  }, [returns])
  if (isOpen) return null
  const prepare = onNear === undefined ? undefined : () => void onNear().catch(() => undefined)
  return (
    <Button
      ref={button}
      variant="secondary"
      aria-label={label}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => editing.open(section)}
    >
      {children}
    </Button>
  )
}
