import { isValidText, STORABLE } from './valid-text.ts'

/** Bodies of the contract are far smaller. Beyond this depth, code that walks the value could overflow the stack. */
const MAX_LEVELS = 64

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const isWrongText = (value: unknown): boolean => typeof value === 'string' && !isValidText(value)
const insideOf = (value: object): readonly unknown[] => (Array.isArray(value) ? value : Object.entries(value).flat())

/** Why no call can accept this body, or undefined. Walks it level by level, so that its depth needs no stack. */
export function bodyFault(body: unknown): string | undefined {
  let level: readonly unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (level.some(isWrongText)) return `the body contains invalid text: ${STORABLE}`
    const containers = level.filter(isContainer)
    if (containers.length > 0 && depth === MAX_LEVELS) return `the body can be nested at most ${MAX_LEVELS} levels deep`
    level = containers.flatMap(insideOf)
  }
  return undefined
}
