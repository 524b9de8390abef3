import { SelectButton } from '@sightline/kit'
import { useId } from 'react'
import { type Text, useText } from './text.ts'
import { type ViewLevel, viewLevels } from './timeline/levels.ts'

const names: Readonly<Record<ViewLevel, Text>> = {
  year: 'Year',
  month: 'Month',
  week: 'Week',
  day: 'Day',
  hour: 'Hour',
  minute: 'Minute',
}

interface LevelButtonsProps {
  /** Undefined between two levels. */
  level: ViewLevel | undefined
  onLevel: (level: ViewLevel) => void
}

/** How much time is visible: buttons, and a list where there is no room for them. */
export function LevelButtons({ level, onLevel }: LevelButtonsProps) {
  const t = useText()
  const id = useId()
  return (
    <>
      <fieldset aria-label={t('Visible time')} className="flex max-xl:hidden">
        {viewLevels.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={level === one}
            onClick={() => onLevel(one)}
            className="h-8 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-text aria-pressed:bg-sunken aria-pressed:font-semibold aria-pressed:text-text"
          >
            {t(names[one])}
          </button>
        ))}
      </fieldset>
      <span className="xl:hidden">
        <label htmlFor={id} className="sr-only">
          {t('Visible time')}
        </label>
        <SelectButton
          id={id}
          label={t('Visible time')}
          value={level ?? ''}
          onChange={({ target }) => {
            const chosen = viewLevels.find((one) => one === target.value)
            if (chosen !== undefined) onLevel(chosen)
          }}
          className="w-24! border-transparent bg-transparent text-muted hover:bg-sunken max-sm:w-auto! max-sm:bg-sunken max-sm:px-2.5! max-sm:[&>svg]:hidden"
        >
          {level === undefined ? <option value="">{t('Other')}</option> : null}
          {viewLevels.map((one) => (
            <option key={one} value={one}>
              {t(names[one])}
            </option>
          ))}
        </SelectButton>
      </span>
    </>
  )
}
