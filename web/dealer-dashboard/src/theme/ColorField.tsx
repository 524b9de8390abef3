import { Field, type Form, inputClass } from '@sightline/kit'
import { type LookValues, parseColor } from './look-form.ts'
import { useText } from './text.ts'

interface ColorFieldProps {
  form: Form<LookValues>
  name: 'primary' | 'secondary'
  label: string
  hint: string
  isOptional?: boolean
}

/** A color, typed or chosen with the browser's color picker. */
export function ColorField({ form, name, label, hint, isOptional = false }: ColorFieldProps) {
  const t = useText()
  const { error, ...field } = form.field(name)
  return (
    <Field label={label} hint={hint} error={error} {...(isOptional ? { optional: t('optional') } : {})}>
      {(ids) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={t('Color picker: {field}', { field: label })}
            value={parseColor(field.value) ?? '#ffffff'}
            onChange={(event) => form.choose(name, event.target.value)}
            className="control w-12 shrink-0 border border-outline bg-surface p-1"
          />
          <input
            {...ids}
            {...field}
            type="text"
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            placeholder="#"
            maxLength={7}
            className={`${inputClass} font-mono rtl:text-right`}
          />
        </div>
      )}
    </Field>
  )
}
