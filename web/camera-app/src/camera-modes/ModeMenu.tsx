import { Icon, Menu } from '@sightline/kit'
import { type Mode, modeName, modeTexts } from './mode-texts.ts'
import { useText } from './text.ts'

interface ModeMenuProps {
  /** The camera or zone, for screen readers. */
  name: string
  mode: Mode
  /** Cameras have other modes than their zone. */
  isMixed?: boolean
  busy: boolean
  onChange: (mode: Mode) => void
}

/** The mode as a button that offers the others, each with its meaning. */
export function ModeMenu({ name, mode, isMixed = false, busy, onChange }: ModeMenuProps) {
  const t = useText()
  return (
    <span aria-busy={busy || undefined} className={busy ? 'pointer-events-none opacity-60' : ''}>
      <Menu
        label={t('Mode of {name}', { name })}
        align="end"
        trigger={
          <>
            {isMixed ? t('Different modes') : t(modeName(mode))}
            <Icon name="chevronDown" size={16} />
          </>
        }
        triggerClass="control inline-flex items-center gap-2 border border-outline bg-surface px-3 font-medium whitespace-nowrap hover:bg-sunken"
        items={modeTexts.map((one) => ({
          label: t(one.name),
          detail: t(one.meaning),
          current: !isMixed && one.mode === mode,
          onSelect: () => onChange(one.mode),
        }))}
      />
    </span>
  )
}
