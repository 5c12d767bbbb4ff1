// Made by the hub from the table of causes.

// A cause as a heading.
export const CAUSES = {"lost":"Removed too early","refused":"The tag does not accept writes","mismatch":"The tag does not keep the data","reader":"The reader failed","interrupted":"The run ended","no-tag":"Removed too early","internal":"The program failed","unsuited":"The tag cannot take its job","written":"It already holds its job","scrap":"It was set aside before","foreign":"It holds another message","copy":"It holds the message of another tag","changed":"Its content differs from its job","unread":"It cannot be read","wrong-type":"No job fits this type of tag","random-uid":"Its UID changes each time","not-genuine":"Not genuine","double":"It was read before","no-match":"No rule takes its link","other-journal":"Another journal was used","not-listed":"It is not in the list","journal":"The journal cannot be written","database":"The database is away","outrun":"Other benches were quicker","no-job":"No job is left for it","no-scan":"No code was scanned","in-use":"Another station has this tag","defective-job":"No message can be made of its job","released":"Its job was given to another tag","conflict":"The database contradicts its bench; nobody may use it","elsewhere":"Another bench has its job","pool":"The pool did not give it the job","restored":"The database was restored from a backup","reset":"It was given back as delivered","label":"Its label was not scanned","inspection":"Its inspection failed","unknown":"The journal does not list it","inspect-first":"Another tag waits for its inspection"};

// What an event says of its tag, by its kind and cause; "" stands for any other cause.
// "+job": the event names a job.
export const VERDICTS = {
  "written": {"":"passed"},
  "written+job": {"":"passed"},
  "returned": {"":"failed","interrupted":"left","unsuited":"left","database":"left","elsewhere":"left","pool":"left","restored":"left","reset":"left"},
  "returned+job": {"":"failed","interrupted":"left","unsuited":"left","database":"left","elsewhere":"left","pool":"left","restored":"left","reset":"left"},
  "held": {"":"held"},
  "held+job": {"":"held"},
  "passed": {"":"left","lost":"failed","refused":"failed","mismatch":"failed","reader":"failed","no-tag":"failed","internal":"failed","released":"failed","conflict":"failed"},
  "passed+job": {"":"left","lost":"held","refused":"held","mismatch":"held","reader":"held","no-tag":"held","internal":"held","released":"failed","conflict":"failed"},
};
