/**
 * Returns the part that the arguments of a container name, and the arguments of that part: `retention main`, and as without a
 * container `run -s retention -- main`, since the image has no npm but its name.
 *
 * @param {string[]} given
 * @returns {{ part: string | undefined, args: string[] }}
 */
export function readContainerArguments(given) {
  const isRun = given[0] === 'run' || given[0] === 'run-script';
  const [part, ...rest] = isRun ? given.slice(1).filter((each) => each !== '-s' && each !== '--silent') : given;
  return { part, args: isRun && rest[0] === '--' ? rest.slice(1) : rest };
}
