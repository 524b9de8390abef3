/**
 * The operator must change something before this can start. The message says in one or two sentences what was found and
 * what to do. The program prints it without a stack and exits with code 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
