/** No body of the contract comes near it. Beyond, whoever walks the value later could run out of stack. */
export const MOST_LEVELS = 64

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether objects and lists stand within each other more than {@link MOST_LEVELS} deep; walks by levels, so itself uses no stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MOST_LEVELS) return true
    level = level.flatMap((container) => Object.values(container)).filter(isContainer)
  }
  return false
}
