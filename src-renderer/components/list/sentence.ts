/** A clause as a sentence: a capital first unless it begins with a name as the API has it, and a full stop last. */
export function asSentence(clause: string): string {
  const [first = ''] = clause.split(' ', 1);
  const begun = /^[a-z]+[,:]?$/.test(first) ? clause.charAt(0).toUpperCase() + clause.slice(1) : clause;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
