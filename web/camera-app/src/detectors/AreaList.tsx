import { type DetectionArea, isCoveredTripwire } from '@sightline/contract/detectors'
import { IconButton, Select, Switch } from '@sightline/kit'
import { type AreaEditing, withDirection, withEnabled, withoutArea } from './area-shapes.ts'
import { useText } from './text.ts'

interface AreaListProps {
  editing: AreaEditing
  selected: number | undefined
  nameOf: (area: DetectionArea) => string
  readOnly: boolean
  onSelect: (areaId: number) => void
  onChange: (editing: AreaEditing) => void
}

/** The shapes with what can be set about each. */
export function AreaList({ editing, selected, nameOf, readOnly, onSelect, onChange }: AreaListProps) {
  const t = useText()
  const { areas } = editing
  return (
    <ul className="divide-y divide-border">
      {areas.map((area) => {
        const { areaId, kind, enabled, direction } = area
        const isCovered = isCoveredTripwire(area, areas)
        const name = nameOf(area)
        return (
          <li key={areaId} className={`space-y-3 px-3 py-3 ${areaId === selected ? 'rounded-md bg-tint' : ''}`}>
            <div className="flex items-center gap-2">
              <button
                type="button"
                aria-pressed={areaId === selected}
                onClick={() => onSelect(areaId)}
                className="min-h-8 min-w-0 flex-1 truncate rounded-sm text-start font-medium hover:text-link"
              >
                {name}
              </button>
              {readOnly ? null : (
                <IconButton
                  icon="trash"
                  label={t('Delete {name}', { name })}
                  onClick={() => onChange(withoutArea(editing, areaId))}
                />
              )}
            </div>
            <Switch
              label={t('Enabled')}
              {...(isCovered ? { description: t('Disabled because an area covers this tripwire.') } : {})}
              checked={enabled}
              disabled={readOnly || isCovered}
              onChange={(on) => onChange(withEnabled(editing, areaId, on))}
            />
            {kind === 'tripwire' ? (
              <Select
                label={t('Direction')}
                value={direction ?? 'both'}
                disabled={readOnly}
                onChange={({ target: { value } }) => {
                  if (value === 'both' || value === 'leftToRight' || value === 'rightToLeft')
                    onChange(withDirection(editing, areaId, value))
                }}
              >
                <option value="both">{t('Both directions')}</option>
                <option value="leftToRight">{t('Left to right, seen from point 1')}</option>
                <option value="rightToLeft">{t('Right to left, seen from point 1')}</option>
              </Select>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
