import { type Description, resolveSchema, type Schema, typeText } from './description.ts'

interface SchemaFieldsProps {
  readonly schema: Schema
  readonly description: Description
  readonly isList?: boolean
}

/** The fields of an object. Nested objects expand in place. */
export function SchemaFields({ schema, description, isList = false }: SchemaFieldsProps) {
  const { name, schema: of } = resolveSchema(schema, description)
  const fields = Object.entries(of.properties ?? {})
  const title = name ?? typeText(schema, description)
  if (fields.length === 0) return <p className="text-muted text-sm">{isList ? `array of ${title}` : title}</p>
  return (
    <div className="mt-1 border-border border-s-2 ps-3">
      <p className="text-muted text-sm">{isList ? `array of ${title}` : title}</p>
      <dl>
        {fields.map(([field, type]) => (
          <FieldLine key={field} {...{ field, type, description }} isRequired={of.required?.includes(field) === true} />
        ))}
      </dl>
    </div>
  )
}

interface FieldLineProps {
  readonly field: string
  readonly type: Schema
  readonly description: Description
  readonly isRequired: boolean
}

function FieldLine({ field, type, description, isRequired }: FieldLineProps) {
  const inner = innerObject(type, description)
  return (
    <div className="py-1 text-sm">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-semibold">{field}</code>
        <span className="wrap-anywhere text-muted">{typeText(type, description)}</span>
        {!isRequired && <span className="text-muted text-xs">optional</span>}
      </dt>
      {type.description !== undefined && <dd className="text-muted">{type.description}</dd>}
      {inner !== undefined && (
        <dd>
          <details>
            <summary className="cursor-pointer text-link">Fields of {field}</summary>
            <SchemaFields schema={inner} description={description} />
          </details>
        </dd>
      )}
    </div>
  )
}

/** The object in a field: as the value, as the item of a list, or as an alternative to null. */
function innerObject(type: Schema, description: Description): Schema | undefined {
  const candidates = [type, ...(type.items === undefined ? [] : [type.items]), ...(type.anyOf ?? [])]
  return candidates.find((one) => resolveSchema(one, description).schema.properties !== undefined)
}
