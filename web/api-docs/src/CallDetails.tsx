import type { ReactNode } from 'react'
import {
  type ApiCall,
  curlCommand,
  type Description,
  type Parameter,
  resolveParameter,
  resolveReply,
  type Schema,
  typeText,
} from './description.ts'
import { SchemaFields } from './SchemaFields.tsx'

/** The details of one call, under its row. */
export function CallDetails({ call, description }: { call: ApiCall; description: Description }) {
  const { operation } = call
  const parameters = operation.parameters.map((parameter) => resolveParameter(parameter, description))
  const body = operation.requestBody?.content['application/json']
  return (
    <div className="grid gap-6 border-border border-t px-4 py-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-5">
        <p className="text-muted">
          <WithCode text={operation.description} />
        </p>
        {parameters.length > 0 && (
          <Part title="Parameters">
            <dl className="flex flex-col divide-y divide-border">
              {parameters.map((parameter) => (
                <ParameterLine key={`${parameter.in} ${parameter.name}`} {...{ parameter, description }} />
              ))}
            </dl>
          </Part>
        )}
        {body?.schema !== undefined && (
          <Part title="Request body">
            <SchemaFields schema={body.schema} description={description} />
          </Part>
        )}
        <Part title="Responses">
          <Replies call={call} description={description} />
        </Part>
      </div>
      <div className="flex flex-col gap-5">
        <Example title="Request" text={curlCommand(call, description, location.origin)} />
        {Object.entries(operation.responses).map(([status, reply]) => {
          const example = resolveReply(reply, description).content?.['application/json']?.example
          if (!status.startsWith('2') || example === undefined) return null
          return <Example key={status} title={`Response ${status}`} text={JSON.stringify(example, null, 2)} />
        })}
      </div>
    </div>
  )
}

/** Text in which words between backticks are code. */
function WithCode({ text }: { text: string }) {
  const pieces = text.split('`')
  return pieces.map((piece, at) => {
    const key = pieces.slice(0, at).join('`')
    return at % 2 === 1 ? <code key={key}>{piece}</code> : <span key={key}>{piece}</span>
  })
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h4 className="mb-2 font-semibold">{title}</h4>
      {children}
    </section>
  )
}

function ParameterLine({ parameter, description }: { parameter: Parameter; description: Description }) {
  return (
    <div className="py-2">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-semibold text-sm">{parameter.name}</code>
        <span className="text-muted text-sm">
          {parameter.in} · {typeText(parameter.schema, description)}
        </span>
        {parameter.required === true && <span className="text-danger-text text-xs">required</span>}
      </dt>
      <dd className="text-sm">
        <WithCode text={parameter.description ?? ''} />
      </dd>
    </div>
  )
}

function Replies({ call, description }: { call: ApiCall; description: Description }) {
  return (
    <ul className="flex flex-col divide-y divide-border">
      {Object.entries(call.operation.responses).map(([status, given]) => {
        const reply = resolveReply(given, description)
        const schema = reply.content?.['application/json']?.schema
        return (
          <li key={status} className="py-2 text-sm">
            <p>
              <span className="me-2 font-semibold">{status}</span>
              {reply.description}
            </p>
            {status.startsWith('2') && schema !== undefined && (
              <SchemaFields schema={asObject(schema)} description={description} isList={schema.items !== undefined} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The type of an item of a list. */
const asObject = (schema: Schema): Schema => schema.items ?? schema

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 font-semibold">{title}</figcaption>
      <pre className="wrap-anywhere whitespace-pre-wrap rounded-md bg-sunken p-3 text-xs">{text}</pre>
    </figure>
  )
}
