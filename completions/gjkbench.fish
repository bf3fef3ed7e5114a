# fish completion for gjkbench: the program says what the last word may become.

function __gjkbench_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$last" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$last")
            case :folders
                __fish_complete_directories (string replace -r -- '^--[a-z-]+=' '' "$last") ''
            case '*'
                echo $line
        end
    end
end

complete -c gjkbench -f -a '(__gjkbench_complete)'
