// Aspect of a question's predicate: states ("who was captain", "what did it cost") hold at a point
// of time, events ("which bugs were fixed", "what did they announce") fall into it.

const stativeParticiple =
  'known|owned|married|led|held|based|located|headed|called|named|required|priced|rated|employed|' +
  'allowed|recommended|used|considered|occupied|governed|ruled|controlled|staffed|permitted|banned|' +
  'supported|valued|worth|registered|listed|divided|composed|made up|engaged|enrolled|stationed|' +
  'installed|contracted|closed|suspended|injured|imprisoned|blocked|licen[sc]ed|authori[sz]ed|' +
  'accredited|insured|certified|connected|restricted|locked|deployed|docked|parked|stored|' +
  'displayed|hung|kept|quoted|pegged|frozen|stocked|set|entitled|assigned|managed|run|chaired|captained|coached|populated|affected|in';
const stativeVerb =
  'have|own|hold|cost|stand|lead|run|live|reside|belong|contain|apply|weigh|know|need|require|' +
  'rule|govern|reign|manage|play|work|include|consist|keep|serve|represent|rank|exist|total|amount|' +
  'look|read|mean|charge|pay|use|recommend|stay|sit|lie|measure|think|believe|say|allow|permit|' +
  'feature|support|offer|carry|supply|teach|wear|drive|speak|practise|follow|recognise|recognize|define|cover|quote|sell for|go for|employ|occupy|control|head|chair|command|number|provide|yield|trade';
const eventiveIrregular =
  'said|built|sold|lost|sent|found|born|shot|sunk|told|bought|taken|given|written|seen|begun|made|' +
  'won|put|cut|hit|struck|stolen|broken|drawn|grown|shown|thrown|brought|caught|taught|fought';

const passive = new RegExp(
  String.raw`\b(?:was|were|been|being|got)\s+(?:\w+ly\s+|not\s+|first\s+|last\s+|next\s+)?(?!(?:${stativeParticiple})\b)(?:[a-z]+ed|${eventiveIrregular})\b`,
  'i',
);
const did = /\b(?:did)\b/i;
const didStative = new RegExp(String.raw`\bdid\b.*\b(?:${stativeVerb})\b`, 'i');
const happened =
  /\b(?:happen(?:ed|s)?|occur(?:red|s)?|took place|take place|went on|came about)\b/i;
/** A past tense after the subject: "which papers appeared", "who died". */
const active = new RegExp(
  String.raw`\b(?:who|which|what|how many)\b(?:\s+(?!(?:was|were|is|are|had|has|did)\b)[\w’'-]+){0,4}?\s+` +
    String.raw`(?!(?:owned|headed|ruled|governed|managed|reigned|lived|belonged|served|weighed|played|worked|contained|` +
    String.raw`chaired|coached|presided|commanded|controlled|represented|applied|used|needed|required|stayed|topped|` +
    String.raw`captained|employed|occupied|remained|existed|operated|resided|numbered|totalled|supported|allowed|edited|hosted|conducted|` +
    String.raw`operated|supplied|carried|offered|charged|covered|provided|stocked|anchored|presented|regulated|permitted|featured|included|amounted|equalled|exceeded|sponsored|united|limited|recorded|named|called|red|bed|fed|speed|seed|need|based|related)\b)` +
    String.raw`(?:[a-z]{2,}ed|died|fell|won|sank|rose|broke|came out|began|left|came|went|struck|shut|beat|lost|sold|made|wrote|hit)\b`,
  'i',
);

/** A perfect: "which lines had closed". */
export const perfect =
  /\b(?:had|has|have)\s+(?:[a-z]+ly\s+)?(?!(?:owned|lived|belonged|led|held|headed|ruled|needed)\b)(?:[a-z]{2,}ed|gone|left|come|begun|become|died)\b/i;

/** Whether the predicate is a state; a phrase without a verb counts as one. */
export function isState(skeleton: string): boolean {
  if (happened.test(skeleton)) return false;
  if (did.test(skeleton)) return didStative.test(skeleton);
  return !passive.test(skeleton) && !active.test(skeleton);
}
